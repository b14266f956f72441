// Visitor for std::visit, made of one function per alternative.
#pragma once

namespace sinew {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace sinew
