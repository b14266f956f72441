#include "sinew/jobs/animate_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <utility>

#include "sinew/bake/bake.h"
#include "sinew/bake/bake_real_time.h"
#include "sinew/bake/checkpoint.h"
#include "sinew/bake/output/point_cache.h"
#include "sinew/bake/quality.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/methods.h"
#include "sinew/deform/rig_controls.h"
#include "sinew/deform/setting.h"
#include "sinew/files/curves_csv.h"
#include "sinew/files/rotations_file.h"
#include "sinew/gltf/write/replace_motion.h"
#include "sinew/gltf/write/write_gltf.h"
#include "sinew/jobs/animate/curve_outputs.h"
#include "sinew/jobs/animate/report.h"
#include "sinew/jobs/animate/still_note.h"
#include "sinew/jobs/motion/add_motions.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/pictures/preview.h"
#include "sinew/session/take_json.h"

namespace sinew {
namespace {

// Size with the .bin that a .gltf has beside it.
std::vector<std::filesystem::path> outputs_of(const AnimateJob& job) {
  std::vector<std::filesystem::path> outputs{job.output,     job.preview, job.report,
                                             job.checkpoint, job.curves,  job.rotations};
  if (lower_case_ending(job.output) == ".gltf")
    outputs.push_back(std::filesystem::path(job.output).replace_extension(".bin"));
  return outputs;
}

// Names of the methods that --curves applies to.
std::string curves_of_no_method() {
  std::vector<std::string> names;
  for (const auto& method : all_methods())
    if (method->traits().gives_curves) names.emplace_back(method->name());
  return "--curves: curves come from the method" + std::string(names.size() > 1 ? "s " : " ") + listed_methods(names) +
         " only; leave it out or choose --method " + names.front() + ".";
}

void check_rotations(const AnimateJob& job) {
  if (!job.method->traits().given_rotations)
    throw usage_error("--write-rotations: the method " + std::string(job.method->name()) +
                      " is not given rotations of elements; leave it out or choose --method mixed.");
  if (job.clip == "all") throw usage_error("--write-rotations: a file holds one clip; name it with --clip.");
  if (job.speed) throw usage_error("--write-rotations: is not recorded at the clock's pace; leave out --real-time.");
  if (!job.checkpoint.empty())
    throw usage_error("--write-rotations: cannot be resumed; leave out either it or --checkpoint.");
}

// Checks that all outputs can be written, before minutes of work rather than after.
void check_outputs(const AnimateJob& job) {
  const std::string extension = is_standard_output(job.output) ? ".glb" : lower_case_ending(job.output);
  if (extension != ".glb" && extension != ".gltf" && extension != ".vrm" && !is_point_cache(job.output))
    throw usage_error(job.output.string() + ": the output's name must end in .glb, .gltf, .vrm, .pc2 or .mdd.");
  if (is_point_cache(job.output) && job.clip == "all")
    throw usage_error(job.output.string() + ": a point cache holds one clip; name it with --clip.");
  if (!job.preview.empty()) check_preview_name(job.preview);
  if (job.preview.empty() && (job.preview_heat || job.preview_view))
    throw usage_error(std::string(job.preview_heat ? "--heat" : "--preview-view") +
                      ": describes a preview; name its file with --preview.");
  if (!job.curves.empty() && !job.method->traits().gives_curves) throw usage_error(curves_of_no_method());
  if (!job.curves.empty() && job.clip == "all")
    throw usage_error("--curves: a table holds one clip; name it with --clip.");
  if (!job.checkpoint.empty()) check_checkpoint_name(job.checkpoint);
  if (!job.rotations.empty()) check_rotations(job);
  if (!job.take.empty() && job.clip == "all") throw usage_error("--take: a take is of one clip; name it with --clip.");
  for (const std::filesystem::path& path :
       {job.output, job.preview, job.report, job.checkpoint, job.curves, job.rotations}) {
    if (path.empty()) continue;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::error_code status;
    if (!std::filesystem::is_directory(folder, status))
      throw usage_error(path.string() + ": its folder does not exist; make it first or choose another place.");
    if (std::filesystem::is_directory(path, status))
      throw usage_error(path.string() + ": is a folder; name a file in it.");
  }
  if (!job.motion_map.empty() && job.motions.empty())
    throw usage_error("--motion-map: names bones for --motion; give both, or leave it out.");
  std::vector<std::filesystem::path> inputs{job.input, job.take, job.motion_map};
  for (const MotionRequest& motion : motion_requests(job.motions)) {
    check_motion_name(motion);
    inputs.push_back(motion.file);
  }
  check_outputs_apart(outputs_of(job), inputs);
  for (const std::filesystem::path& path :
       {job.output, job.preview, job.report, job.checkpoint, job.curves, job.rotations}) {
    if (path.empty()) continue;
    check_can_write(path, path == job.report || path == job.curves ? Content::text : Content::binary);
  }
}

void check_real_time(const AnimateJob& job) {
  if (!(*job.speed > 0 && *job.speed <= 100))
    throw usage_error("--real-time: the speed must lie between 0 and 100 simulated seconds per second.");
  if (job.loop == Loop::on)
    throw usage_error("--real-time: plays the clip once and cannot close a loop; leave out either it or --loop.");
  if (!job.checkpoint.empty())
    throw usage_error("--real-time: cannot be resumed; leave out either it or --checkpoint.");
}

void check_numbers(const AnimateJob& job) {
  job.method->check();
  if (!(job.frames_per_second > 0 && job.frames_per_second <= 10'000))
    throw usage_error("--fps: must lie between 0 and 10000 frames per second.");
  if (job.speed) check_real_time(job);
  if (job.morphs.targets < 0) throw usage_error("--morphs: must not be negative.");
  if (!(job.morphs.rms_error >= 0 && job.morphs.rms_error <= 1))
    throw usage_error("--morph-error: must lie between 0 and 1, as a fraction of the character's height.");
}

std::string in_seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

// Limits of the simulated range and of the number of recorded frames.
constexpr double longest_range = 24 * 3600;  // seconds
constexpr double most_frames = 1'000'000;

// Checks the range against this clip. A range beyond the last key gets a note.
void check_range(const AnimateJob& job, const Character& character, int clip_index, std::vector<std::string>& notes) {
  const bool rest = clip_index < 0;
  const Clip* clip = rest ? nullptr : &character.clips[static_cast<std::size_t>(clip_index)];
  const double start = clip ? clip->start : 0, finish = clip ? clip->end : 1;
  const double begin = job.begin.value_or(start), end = job.end.value_or(finish);
  const std::string runs =
      "clip '" + (clip ? clip->name : "") + "' runs from " + in_seconds(start) + " to " + in_seconds(finish) + " s";
  if (!std::isfinite(begin) || !std::isfinite(end) || end < begin)
    throw usage_error("--range: must begin before it ends" + (clip ? "; " + runs : "") + ".");
  if (clip && (begin > finish || end < start))
    throw usage_error("--range: " + in_seconds(begin) + " to " + in_seconds(end) + " s is outside the clip; " + runs +
                      ".");
  const double frames = (end - begin) * job.frames_per_second;
  if (end - begin > longest_range && !job.begin && !job.end)
    throw input_error(character.file + ": " + runs + ", more than a day; choose a part of it with --range.");
  if (end - begin > longest_range || frames > most_frames)
    throw usage_error(
        "--range: " + in_seconds(end - begin) + " s at " + in_seconds(job.frames_per_second) +
        " frames per second are more than a day or a million frames; choose less with --range and --fps.");
  if (clip && (end > finish + 1e-6 || begin < start - 1e-6))
    notes.push_back("The range " + in_seconds(begin) + " to " + in_seconds(end) +
                    " s reaches beyond its clip: " + runs + "; outside it the character stands still.");
}

// Indices of the clips to bake, -1 for the rest pose: one, or all. With motions, all are those of the motions.
// `clip`: a value of --clip, less what it has chosen of a motion.
std::vector<int> chosen_clips(const OpenedCharacter& opened, const std::string& clip) {
  const std::vector<Clip>& all = opened.character.clips;
  if (clip == "all" && !all.empty()) {
    const std::size_t first = opened.motions.empty() ? 0 : opened.own_clips();
    std::vector<int> clips(all.size() - first);
    std::iota(clips.begin(), clips.end(), static_cast<int>(first));
    return clips;
  }
  if (opened.motions.empty()) return {choose_clip(opened.character, clip)};
  if (!clip.empty()) return {choose_clip_with_motions(opened, clip)};
  std::vector<int> clips;
  for (const AddedMotion& motion : opened.motions) clips.push_back(motion.first);
  return clips;
}

// Time that a free body without a clip is followed for.
constexpr double seconds_of_free_body = 4;

struct OpenedToAnimate {
  OpenedCharacter opened;
  std::vector<int> clips;  // to bake
};

// Opens meshes without a skeleton too, for methods that need none.
OpenedToAnimate open_to_animate(const AnimateJob& job) {
  const SizeRequest size{job.height, job.unit};
  const bool is_mesh =
      job.motions.empty() && lower_case_ending(job.input) == ".obj" && !job.method->traits().needs_skin_weights;
  OpenedCharacter opened = is_mesh ? open_with_document(job.input, size) : open_rigged_character(job.input, size);
  const MotionChoice choice = motion_choice(job.motions, job.clip, opened.character);
  add_motions(choice.motions, job.motion_map, opened);
  std::vector<int> clips = chosen_clips(opened, choice.clip);
  return {std::move(opened), std::move(clips)};
}

BakeOptions bake_options(const AnimateJob& job, const Scene& scene, int clip) {
  BakeOptions options;
  options.clip = clip;
  options.begin = job.begin;
  options.end = job.end;
  if (scene.toss && clip < 0 && !job.end) options.end = job.begin.value_or(0) + seconds_of_free_body;
  if (scene.keyed_until && clip < 0 && !job.end) options.end = std::max(job.begin.value_or(0), *scene.keyed_until);
  options.frames_per_second = job.frames_per_second;
  options.loop = job.loop;
  options.checkpoint = job.checkpoint;
  // Each of several clips has its own checkpoint.
  if (!job.checkpoint.empty() && job.clip == "all") options.checkpoint += "." + std::to_string(clip);
  options.resume = job.resume;
  options.accessories = job.accessories;
  options.rotations = !job.rotations.empty();
  if (!job.take.empty()) options.take = read_take(job.take);
  return options;
}

// Bakes at the clock's pace if the job asks for that, otherwise as fast as possible.
BakeResult bake_clip(const AnimateJob& job, const Character& character, const Scene& scene, int clip,
                     const Progress& progress) {
  const BakeOptions options = bake_options(job, scene, clip);
  const RigAnimation* controls = scene.controls ? scene.controls->animation(clip) : nullptr;
  if (!job.speed) return bake(character, scene, controls, options, progress);
  return bake_real_time(character, scene, controls, options, *job.speed, steady_wall_clock(), progress);
}

// Writes morph targets, or curves for methods that answer with controls.
FleshWriteReport write_gltf_output(const AnimateJob& job, const GltfDocument& document, const Character& character,
                                   const std::vector<Recording>& recordings, const std::vector<WrittenCurves>& curves) {
  if (curves.empty()) return write_gltf_with_flesh(document, character, recordings, job.morphs, job.output);
  return write_gltf_with_curves(document, character, curves, job.morphs, job.output);
}

// A note about a result much larger than its input, with the option that makes it smaller; otherwise empty.
std::string size_note(const AnimateJob& job, const FleshWriteReport& written) {
  constexpr double much_larger = 4, worth_a_word = 1e6;  // bytes
  std::error_code status;
  const auto before = static_cast<double>(std::filesystem::file_size(job.input, status));
  int targets = 0;
  for (const MorphFitReport& mesh : written.meshes) targets = std::max(targets, mesh.targets);
  const auto bytes = static_cast<double>(written.bytes);
  if (status || targets == 0 || bytes < much_larger * before || bytes - before < worth_a_word) return "";
  char text[320];
  std::snprintf(
      text, sizeof(text),
      "The result is %.1f times as large as its input, %.1f MB, mostly because of its %d morph targets. For fewer, "
      "use a larger --morph-error (now %g) or --morphs %d.",
      bytes / before, bytes / 1e6, targets, job.morphs.rms_error, std::max(1, targets / 2));
  return text;
}

void write_output(const AnimateJob& job, const GltfDocument& document, const Character& character,
                  const std::vector<Recording>& recordings, const std::vector<WrittenCurves>& curves,
                  RunReport& report) {
  if (is_point_cache(job.output)) {
    report.output_bytes = write_point_cache(character, recordings.front(), job.output);
    return;
  }
  const FleshWriteReport written = write_gltf_output(job, document, character, recordings, curves);
  report.morph_fit = written.meshes;
  report.morph_rms_error = written.rms_error;
  report.morph_max_error = written.max_error;
  report.output_bytes = written.bytes;
  report.bytes_added = written.bytes_added;
  report.warnings.insert(report.warnings.end(), written.warnings.begin(), written.warnings.end());
  if (const std::string note = size_note(job, written); !note.empty()) report.warnings.push_back(note);
}

// Merges the accessories of all clips, in the order of their nodes.
std::vector<AccessoryReport> report_accessories(const Character& character, const std::vector<Recording>& recordings) {
  std::map<int, AccessoryReport> moved;
  const auto name_of = [&](int joint) { return character.skeleton.joints[static_cast<std::size_t>(joint)].name; };
  for (const Recording& recording : recordings)
    for (const AccessoryRecording& accessory : recording.accessories) {
      AccessoryReport& report = moved[accessory.nodes.front()];
      report = {name_of(accessory.nodes.front()), name_of(accessory.joint),
                std::max(report.largest, accessory.largest)};
    }
  std::vector<AccessoryReport> result;
  for (const auto& [node, report] : moved) result.push_back(report);
  return result;
}

void report_quality(const Character& character, const std::vector<Recording>& recordings, RunReport& report) {
  std::vector<Quality> clips;
  for (std::size_t c = 0; c < recordings.size(); ++c) {
    clips.push_back(measure_quality(character, recordings[c], report.clips[c].cuts));
    report.clips[c].quality = clips.back();
  }
  report.quality = worst_of(clips);
}

// Explains why a result looks like its input.
void note_stillness(const Character& character, const std::vector<Recording>& recordings, const Scene& scene,
                    RunReport& report) {
  if (scene.toss || scene.keyed_until) return;  // the body moves without a clip
  if (character.clips.empty()) {
    for (ClipReport& clip : report.clips) clip.still = "the file has no animation.";
    report.warnings.push_back(
        "The file has no animation, so the result does not move; give it motion of any skeleton by --motion FILE, or "
        "a built-in one by --motion test:jump, or export the character with a clip.");
    return;
  }
  std::vector<PlayedClip> played;
  for (std::size_t c = 0; c < recordings.size(); ++c)
    if (recordings[c].clip >= 0 && !recordings[c].times.empty()) {
      played.push_back(
          {recordings[c].clip, recordings[c].times.front(), recordings[c].times.back(), *report.clips[c].quality});
      report.clips[c].still = why_still(character, played.back(), scene.advice);
    }
  const std::vector<std::string> notes = explain_stillness(character, played, scene.advice);
  report.warnings.insert(report.warnings.end(), notes.begin(), notes.end());
  if (const std::string note = safety_clamp_note(report.clips); !note.empty()) report.warnings.push_back(note);
}

// Says where muscles are activated by what was made for another clip.
void note_foreign_activation(const Character& character, const std::vector<Recording>& recordings, const Scene& scene,
                             RunReport& report) {
  if (!scene.muscles || scene.muscles->clip().empty()) return;
  for (const Recording& recording : recordings) {
    if (recording.clip < 0 || recording.times.empty()) continue;
    const std::string& name = character.clips[static_cast<std::size_t>(recording.clip)].name;
    if (name != scene.muscles->clip())
      report.warnings.push_back("The activation of muscles was made for the clip '" + scene.muscles->clip() +
                                "', not for '" + name + "'; make its own by `sinew motion flex`.");
  }
}

std::vector<std::byte> draw_preview(const AnimateJob& job, const GltfDocument& document, const Character& character,
                                    const Recording& recording, RunReport& report, const Progress& progress) {
  PreviewOptions how;
  how.view = job.preview_view.value_or(PreviewView::three_quarter);
  how.heat = job.preview_heat;
  how.flesh_label = report.method;
  how.finishes = part_finishes(document, character, report.warnings);
  return preview_bytes(job.preview, character, recording, how, report.warnings, progress);
}

// Remedies for failed simulations.
constexpr const char* calmer_clip =
    "look for a jump or a collapsed joint in the clip there, or try stiffer flesh (--look subtle) or a smaller --step";

std::string clip_words(const Character& character, int clip) {
  return clip < 0 ? "in the rest pose" : "clip '" + character.clips[static_cast<std::size_t>(clip)].name + "'";
}

AnimateResult animate(const AnimateJob& job, const Progress& progress) {
  check_outputs(job);
  check_numbers(job);
  Stopwatch watch;
  AnimateResult result;

  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  OpenedToAnimate to_animate = open_to_animate(job);
  OpenedCharacter& opened = to_animate.opened;
  const std::vector<int>& clips = to_animate.clips;
  GltfDocument& document = *opened.document;
  Character& character = opened.character;
  const SizeDecision& size = opened.size;
  std::vector<std::string> notes = notes_on_motions(opened);
  if (!size.sentence.empty()) notes.push_back(size.sentence);
  for (const int clip : clips) {
    refuse_outlier_clip(character, clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(clip)]);
    check_range(job, character, clip, notes);
  }
  const double read_seconds = watch.lap();

  const Scene scene = cook(*job.method, {character, clips, job.speed.has_value(), {}, job.take.empty() && !job.speed},
                           part_of(progress, 0.0, 0.05));
  if (scene.completed) character = *scene.completed;
  watch.lap();
  static_cast<CookReport&>(result.report) = scene.report;
  result.report.height = size.height();
  result.report.input = job.input.string();
  result.report.output = job.output.string();
  result.report.program_version = SINEW_VERSION;
  result.report.metres_per_unit = character.metres_per_unit;
  result.report.threads = thread_count();
  result.report.warnings.insert(result.report.warnings.begin(), notes.begin(), notes.end());
  result.report.stages.insert(result.report.stages.begin(), {"read", read_seconds});
  if (job.loop == Loop::on && !job.method->traits().has_memory)
    result.report.warnings.push_back("--loop does nothing with the method " + scene.method +
                                     ": equal poses give equal shapes, so a cyclic clip repeats by itself.");

  std::vector<Recording> recordings;
  std::vector<WrittenCurves> curves;
  ElementRotations rotations;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const double begin = 0.05 + 0.85 * static_cast<double>(c) / static_cast<double>(clips.size());
    const double end = 0.05 + 0.85 * static_cast<double>(c + 1) / static_cast<double>(clips.size());
    BakeResult bake = in_context(clip_words(character, clips[c]), calmer_clip, [&] {
      return bake_clip(job, character, scene, clips[c], part_of(progress, begin, end));
    });
    result.report.warnings.insert(result.report.warnings.end(), bake.notes.begin(), bake.notes.end());
    result.report.warnings.insert(result.report.warnings.end(), bake.failures.begin(), bake.failures.end());
    result.report.failures.insert(result.report.failures.end(), bake.failures.begin(), bake.failures.end());
    result.report.clips.push_back(std::move(bake.report));
    if (const auto carried = opened.carried.find(clips[c]); carried != opened.carried.end())
      result.report.clips.back().motion = carried->second;
    if (bake.complete && bake.curves && !job.curves.empty())
      write_curves_csv(job.curves, curve_table(*scene.controls, *bake.curves));
    if (bake.complete && bake.curves && scene.controls->own && !is_point_cache(job.output))
      curves.push_back(written_curves(scene, character, *bake.curves, job.frames_per_second, result.report.warnings));
    recordings.push_back(std::move(bake.recording));
    rotations = std::move(bake.rotations);
    if (!bake.complete) {
      result.complete = false;
      result.resumable = bake.resumable;
      return result;
    }
  }
  for (Recording& recording : recordings) take_over_poses(document, character, recording);
  result.report.stages.push_back({"simulate", watch.lap()});
  report_quality(character, recordings, result.report);
  result.report.stages.push_back({"measure", watch.lap()});

  // Drawn before anything is written, so that stopping while pictures are drawn leaves nothing behind.
  std::vector<std::byte> preview;
  if (!job.preview.empty()) {
    preview = draw_preview(job, document, character, recordings.front(), result.report, part_of(progress, 0.9, 0.97));
    result.report.stages.push_back({"preview", watch.lap()});
  }
  report(progress, "writing " + job.output.filename().string(), 0.97);
  write_output(job, document, character, recordings, curves, result.report);
  if (!result.report.morph_fit.empty()) result.report.accessories = report_accessories(character, recordings);
  const LoopsRunOn to_the_end;  // the result is complete: write all of it
  note_stillness(character, recordings, scene, result.report);
  note_foreign_activation(character, recordings, scene, result.report);
  if (!job.preview.empty()) write_file(job.preview, preview);
  if (!job.rotations.empty()) write_rotations_file(job.rotations, rotations.grouped());
  result.report.stages.push_back({"write", watch.lap()});
  if (!job.report.empty()) write_report(result.report, job.report);
  report(progress, "done", 1);
  return result;
}

}  // namespace

AnimateResult animate_file(const AnimateJob& job, const Progress& progress) {
  try {
    const StopInLoops stop(progress);
    return in_context(job.input.string(), other_body, [&] { return animate(job, stop.progress()); });
  } catch (const Stopped&) {
    return {{}, false};
  }
}

}  // namespace sinew
