// Common parts of verbs that use the bench.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "sinew/jobs/shape_file.h"
#include "sinew/shape/shape_rig.h"
#include "studio/server/application.h"

namespace sinew::studio {

// The settings of the project's flesh without its rigs, in the lattice that the project names, if any. The
// application's mutex must be held.
FleshSettings bench_settings(const Application& app, const Project& project);

// The flesh of the project and its rigs. The application's mutex must be held. Throws as rigs_in() does.
BenchFlesh bench_flesh(const Application& app);

// Answers where a request was replaced by a newer one, by {"stopped": true}, or failed. Returns whether it did.
bool answered_failure(Application& app, const Client& client, const std::exception_ptr& failure);

// Puts the rigs of these names, which a job has made for the character of this number, into the project, with the
// controls that came with them. Acts of one `stroke` are one. Throws Error.
void adopt_rigs(Application& app, std::uint32_t number, const ShapeFile& made, const std::vector<std::string>& names,
                const std::string& what, int stroke = 0);

std::string data_url(const char* kind, std::span<const std::byte> bytes);

}  // namespace sinew::studio
