// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.web.header.HeaderWriter;

/**
 * The Content-Security-Policy of a reply. Everything has the console's: scripts and styles are files of this server, nothing is inline,
 * no text becomes markup (trusted types), no other host is asked, no page frames it. Only the API's documentation page, a library's, has a
 * wider one: it sets style attributes and has pictures in its style sheet. One comparison per request.
 */
final class PagePolicy implements HeaderWriter {
    private static final String HEADER = "Content-Security-Policy";
    private static final String DOCUMENTATION_PATH = "/swagger-ui";
    private static final String STRICT = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";
    private static final String DOCUMENTATION = "default-src 'self'; img-src 'self' data:;"
            + " style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

    @Override
    public void writeHeaders(HttpServletRequest request, HttpServletResponse response) {
        response.setHeader(HEADER, request.getRequestURI().startsWith(DOCUMENTATION_PATH) ? DOCUMENTATION : STRICT);
    }
}
