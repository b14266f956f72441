// Answers to GET and POST (docs/studio_protocol.md, Requests). A new path has its place in answer_request().
#pragma once

#include "studio/server/application.h"
#include "studio/server/web/web_server.h"

namespace sinew::studio {

// On any thread.
WebAnswer answer_request(Application& app, const WebRequest& request);

}  // namespace sinew::studio
