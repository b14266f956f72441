// Answers to GET and POST (docs/studio_protocol.md, Requests). A new path has its place in answer_request().
#pragma once

#include "studio/server/desk.h"
#include "studio/server/web_server.h"

namespace sinew {

// On any thread.
WebAnswer answer_request(Desk& desk, const WebRequest& request);

}  // namespace sinew
