#include "sinew/kinematics/graph/motion_graph.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// The frames in which transitions begin or end, as the nodes of a directed graph.
struct GraphNodes {
  std::map<std::pair<int, int>, int> node_of;  // by clip and frame
  std::vector<std::pair<int, int>> place;      // per node: clip and frame
  std::vector<std::vector<int>> next;          // per node
  std::vector<int> frames;                     // per node: to the next one of the clip, 0 without one
};

GraphNodes nodes_of(const MotionGraph& graph) {
  GraphNodes nodes;
  for (std::size_t c = 0; c < graph.clips.size(); ++c) nodes.node_of[{static_cast<int>(c), 0}] = 0;
  for (const GraphTransition& each : graph.transitions) {
    nodes.node_of[{each.from, each.from_frame}] = 0;
    nodes.node_of[{each.to, graph.arrival(each)}] = 0;
  }
  for (auto& [place, node] : nodes.node_of) {
    node = static_cast<int>(nodes.place.size());
    nodes.place.push_back(place);
  }
  nodes.next.resize(nodes.place.size());
  nodes.frames.resize(nodes.place.size(), 0);
  for (std::size_t n = 0; n < nodes.place.size(); ++n) {
    const auto [clip, frame] = nodes.place[n];
    const bool last = n + 1 == nodes.place.size() || nodes.place[n + 1].first != clip;
    if (!last) {
      nodes.next[n].push_back(static_cast<int>(n) + 1);
      nodes.frames[n] = nodes.place[n + 1].second - frame;
    } else if (graph.clips[index(clip)].loops) {
      nodes.next[n].push_back(nodes.node_of[{clip, 0}]);
      nodes.frames[n] = graph.clips[index(clip)].frames - frame;
    }
  }
  for (const GraphTransition& each : graph.transitions)
    nodes.next[index(nodes.node_of[{each.from, each.from_frame}])].push_back(
        nodes.node_of[{each.to, graph.arrival(each)}]);
  return nodes;
}

// Number of its strongly connected component per node, by Tarjan's algorithm without recursion.
std::vector<int> strong_components(const std::vector<std::vector<int>>& next) {
  constexpr int none = -1;
  std::vector<int> component(next.size(), none), order(next.size(), none), low(next.size(), 0), open;
  int visited = 0, components = 0;
  struct Visit {
    int node;
    std::size_t edge;
  };
  for (std::size_t start = 0; start < next.size(); ++start) {
    if (order[start] != none) continue;
    std::vector<Visit> path{{static_cast<int>(start), 0}};
    while (!path.empty()) {
      const auto node = index(path.back().node);
      if (path.back().edge == 0) {
        order[node] = low[node] = visited++;
        open.push_back(path.back().node);
      }
      if (path.back().edge < next[node].size()) {
        const int to = next[node][path.back().edge++];
        if (order[index(to)] == none)
          path.push_back({to, 0});
        else if (component[index(to)] == none)
          low[node] = std::min(low[node], order[index(to)]);
        continue;
      }
      if (low[node] == order[node]) {
        int member = none;
        do {
          member = open.back();
          open.pop_back();
          component[index(member)] = components;
        } while (index(member) != node);
        ++components;
      }
      path.pop_back();
      if (!path.empty()) {
        const auto above = index(path.back().node);
        low[above] = std::min(low[above], low[node]);
      }
    }
  }
  return component;
}

}  // namespace

int MotionGraph::arrival(const GraphTransition& transition) const {
  const int frame = transition.to_frame + window;
  const GraphClip& clip = clips[index(transition.to)];
  return clip.loops ? frame % clip.frames : frame;
}

int MotionGraph::next_frame(int clip, int frame) const {
  const GraphClip& own = clips[index(clip)];
  return own.loops && frame + 1 >= own.frames ? 0 : frame + 1;
}

std::vector<std::string> keep_strongest_part(MotionGraph& graph) {
  const GraphNodes nodes = nodes_of(graph);
  const std::vector<int> component = strong_components(nodes.next);
  // Per component: whether a transition stays in it, since a clip that loops is one without any; and frames of clips
  // that it plays.
  std::map<int, std::pair<bool, int>> size;
  for (const GraphTransition& each : graph.transitions) {
    const int from = component[index(nodes.node_of.at({each.from, each.from_frame}))],
              to = component[index(nodes.node_of.at({each.to, graph.arrival(each)}))];
    if (from == to) size[from].first = true;
  }
  for (std::size_t n = 0; n < nodes.place.size(); ++n) {
    int& sum = size[component[n]].second;
    for (const int to : nodes.next[n])
      if (component[index(to)] == component[n]) ++sum;
    if (!nodes.next[n].empty() && nodes.frames[n] > 0 && component[index(nodes.next[n].front())] == component[n])
      sum += nodes.frames[n];
  }
  const auto largest =
      std::max_element(size.begin(), size.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::string> left_out;
  if (largest == size.end()) return left_out;
  std::vector<int> renumbered(graph.clips.size(), -1);
  for (std::size_t n = 0; n < nodes.place.size(); ++n)
    if (component[n] == largest->first) renumbered[index(nodes.place[n].first)] = 0;
  std::vector<GraphClip> clips;
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    if (renumbered[c] < 0) {
      left_out.push_back(graph.clips[c].name);
      continue;
    }
    renumbered[c] = static_cast<int>(clips.size());
    clips.push_back(graph.clips[c]);
  }
  std::vector<GraphTransition> kept;
  for (const GraphTransition& each : graph.transitions) {
    const auto is_in = [&](int clip, int frame) {
      return component[index(nodes.node_of.at({clip, frame}))] == largest->first;
    };
    if (!is_in(each.from, each.from_frame) || !is_in(each.to, graph.arrival(each))) continue;
    kept.push_back(each);
    kept.back().from = renumbered[index(each.from)];
    kept.back().to = renumbered[index(each.to)];
  }
  std::sort(kept.begin(), kept.end(), [](const GraphTransition& a, const GraphTransition& b) {
    return std::tie(a.from, a.from_frame, a.to, a.to_frame) < std::tie(b.from, b.from_frame, b.to, b.to_frame);
  });
  graph.clips = std::move(clips);
  graph.transitions = std::move(kept);
  return left_out;
}

std::span<const GraphTransition> transitions_from(const MotionGraph& graph, int clip) {
  const auto by_clip = [](const GraphTransition& a, int b) { return a.from < b; };
  const auto begin = std::lower_bound(graph.transitions.begin(), graph.transitions.end(), clip, by_clip);
  const auto end = std::lower_bound(begin, graph.transitions.end(), clip + 1, by_clip);
  return {begin, end};
}

}  // namespace sinew
