// Every precompiled header belongs to a source: this one.
#include "module_headers.h"
