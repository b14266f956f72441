// The verbs of the `sinew` program: each function adds one, with its options and its action.
#pragma once

namespace sinew::cli {

class CommandLine;

void add_all_verbs(CommandLine& line);

// Each is defined in the source of its own name.
void add_animate(CommandLine& line);
void add_settings(CommandLine& line);
void add_info(CommandLine& line);
void add_check(CommandLine& line);
void add_anatomy(CommandLine& line);
void add_flesh(CommandLine& line);
void add_volume(CommandLine& line);
void add_lattice(CommandLine& line);
void add_learn(CommandLine& line);
void add_fit(CommandLine& line);
void add_compare(CommandLine& line);
void add_motion(CommandLine& line);
void add_rig(CommandLine& line);
void add_shape(CommandLine& line);
void add_studio(CommandLine& line);

}  // namespace sinew::cli
