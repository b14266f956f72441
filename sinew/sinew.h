// Everything that hosts and bindings call, in ten headers (docs/library.md).
#pragma once

#include "sinew/base/error.h"                // an error: a sentence and its kind
#include "sinew/base/progress.h"             // progress of long work, and how to stop it
#include "sinew/base/threads/thread_loan.h"  // threads of the host in place of the library's own
#include "sinew/cook/cook.h"                 // makes a scene from a character, a method and its settings
#include "sinew/cook/methods.h"              // the list of methods
#include "sinew/jobs/animate_file.h"         // writes a file with moving flesh
#include "sinew/jobs/check_file.h"           // lists the defects of a file
#include "sinew/jobs/fit_file.h"             // fits a model for games to a character's flesh
#include "sinew/jobs/open_character.h"       // reads a character from a file or from memory
#include "sinew/jobs/open_session.h"         // starts a live session of a character
