// The message of an exception.
#pragma once

#include <exception>
#include <string>

namespace sinew::studio {

std::string sentence_of(const std::exception_ptr& failure);

}  // namespace sinew::studio
