// sinew bench capell: the experiments of docs/lattice_comparisons.md.
#include <algorithm>
#include <iterator>

#include "sinew/bake/capell_proof/tables.h"
#include "sinew/cli/bench_session.h"
#include "sinew/io/capell_proof_pictures.h"

namespace sinew::cli {
namespace {

void run_bend(BenchSession& session) {
  const LatticeBar bar = make_lattice_bar({});
  const std::vector<LatticeBendRun> runs = lattice_bend_experiment(bar, {}, session.progress());
  session.show(lattice_bend_table(runs));
  session.picture("capell_bend", [&] {
    std::vector<LatticeBendRun> shown;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(shown),
                 [](const LatticeBendRun& run) { return run.how.warping != Warping::vertex; });
    return lattice_bend_picture(bar, shown);
  });
}

}  // namespace

std::vector<std::string> capell_experiments() { return {"bend"}; }

void bench_capell(const BenchOptions& options, BenchSession& session) {
  if (chosen(options, "bend")) run_bend(session);
}

}  // namespace sinew::cli
