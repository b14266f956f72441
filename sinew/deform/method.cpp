#include "sinew/deform/method.h"

namespace sinew {

void Method::check() const {
  const std::unique_ptr<Method> own = clone();
  check_table(own->settings());
}

}  // namespace sinew
