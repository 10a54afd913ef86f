#pragma once

#include <memory>

#include "daemon/api/call.h"
#include "daemon/api/errors.h"

namespace analytics::api {

template <typename T, typename Change, typename Reply>
void change_registry(const Services& services, Change change, Reply reply,
                     http::Responder respond) {
  auto shared = std::make_shared<http::Responder>(std::move(respond));
  auto& log = services.log;
  services.provisioning.change<T>(
      std::move(change), [shared, &log, reply = std::move(reply)](Result<T> result) {
        if (result) {
          if constexpr (std::is_void_v<T>) {
            std::move (*shared)(reply());
          } else {
            std::move (*shared)(reply(*result));
          }
          return;
        }
        if (result.error().code == ErrorCode::kInternal) {
          log.error("a change failed", {{"reason", result.error().reason()}});
        }
        std::move (*shared)(error_response(result.error()));
      });
}

}  // namespace analytics::api
