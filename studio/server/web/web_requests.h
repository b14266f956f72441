// Answers GET and POST requests (docs/studio_protocol.md, Requests). New paths are added in answer_request().
#pragma once

#include "studio/server/application.h"
#include "studio/server/web/web_server.h"

namespace sinew::studio {

// May be called on any thread.
WebAnswer answer_request(Application& app, const WebRequest& request);

}  // namespace sinew::studio
