// Everything that hosts and bindings call, in ten headers (docs/library.md).
#pragma once

#include "sinew/base/error.h"                // what goes wrong, as a sentence with its kind
#include "sinew/base/progress.h"             // how far something is, and how to stop it
#include "sinew/base/threads/thread_loan.h"  // threads of the host in place of the library's own
#include "sinew/cook/cook.h"                 // a scene of a character, by a method and its settings
#include "sinew/cook/methods.h"              // the list of methods
#include "sinew/jobs/animate_file.h"         // a file with moving flesh from a file without
#include "sinew/jobs/check_file.h"           // what is wrong with a file
#include "sinew/jobs/fit_file.h"             // a model for games from a character's flesh
#include "sinew/jobs/open_character.h"       // a character from a file or from memory
#include "sinew/jobs/open_session.h"         // a character alive: played, posed, pushed and dragged
