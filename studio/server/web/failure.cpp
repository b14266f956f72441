#include "studio/server/web/failure.h"

#include <new>

#include "sinew/base/error.h"
#include "sinew/base/progress.h"

namespace sinew::studio {

std::string sentence_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Stopped&) {
    return "It was stopped.";
  } catch (const std::bad_alloc&) {
    return "There is not enough memory for that.";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace sinew::studio
