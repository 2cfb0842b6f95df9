// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/** Answers what a filter or the container refused with a status only. Not a page of its own: asked directly, it is not there. */
@Hidden
@Controller
class ErrorPage implements ErrorController {
    @RequestMapping("${spring.web.error.path:/error}")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int status = 404;
        if (request.getDispatcherType() == DispatcherType.ERROR
                && request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer given
                && given >= 400) {
            status = given;
        }
        ErrorWriter.write(response, HttpErrors.of(status));
    }
}
