// A failure as a sentence for people.
#pragma once

#include <exception>
#include <string>

namespace sinew::studio {

std::string sentence_of(const std::exception_ptr& failure);

}  // namespace sinew::studio
