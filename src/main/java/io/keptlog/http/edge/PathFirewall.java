// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * Which paths and headers are let in. Names are any Unicode without control characters, percent-encoded, so an encoded slash, semicolon,
 * backslash, dot or percent sign is part of a name (http-api §1). Refused, with 400: what could be read in two ways (a bare semicolon,
 * double slashes, segments that are {@code .} or {@code ..} in any spelling), control characters, and what is not UTF-8.
 */
final class PathFirewall extends StrictHttpFirewall {
    PathFirewall() {
        // Methods are answered by Spring MVC with 405 and Allow.
        setUnsafeAllowAnyHttpMethod(true);
        setAllowSemicolon(true);
        setAllowUrlEncodedSlash(true);
        setAllowUrlEncodedDoubleSlash(true);
        setAllowUrlEncodedPercent(true);
        setAllowUrlEncodedPeriod(true);
        setAllowBackSlash(true);
        setAllowUrlEncodedLineSeparator(true);
        setAllowUrlEncodedParagraphSeparator(true);
        // Bytes above 127 arrive as ISO-8859-1 characters, of which some look like controls.
        setAllowedHeaderValues(PathFirewall::isText);
        // Tomcat has refused every name that is no token (RFC 9110).
        setAllowedHeaderNames(name -> true);
    }

    /** Asked for each header at each look at it: a plain loop. */
    private static boolean isText(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Only this class's own reasons are told: Spring's repeat the request. */
    static String reason(RequestRejectedException e) {
        return e instanceof Refused && e.getMessage() != null
                ? e.getMessage()
                : "This request has a path, a parameter or a header that is not allowed.";
    }

    private static final class Refused extends RequestRejectedException {
        Refused(String message) {
            super(message);
        }
    }

    @Override
    public FirewalledRequest getFirewalledRequest(HttpServletRequest request) throws RequestRejectedException {
        String path = request.getRequestURI();
        if (path.indexOf(';') >= 0) {
            throw new Refused("A semicolon in a path must be percent-encoded.");
        }
        int start = 0;
        for (int end = path.indexOf('/'); start <= path.length(); end = path.indexOf('/', start)) {
            int stop = end < 0 ? path.length() : end;
            checkSegment(path, start, stop);
            start = stop + 1;
        }
        return super.getFirewalledRequest(request);
    }

    private static void checkSegment(String path, int start, int end) {
        String segment = path.substring(start, end);
        String decoded = segment.indexOf('%') < 0 ? segment : decode(segment);
        if (decoded.equals(".") || decoded.equals("..")) {
            throw new Refused("A resource named '.' or '..' is reached by its id only.");
        }
        for (int i = 0; i < decoded.length(); i++) {
            if (Character.isISOControl(decoded.charAt(i))) {
                throw new Refused("A path holds no control characters.");
            }
        }
    }

    private static String decode(String segment) {
        byte[] bytes = new byte[segment.length()];
        int length = 0;
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (c == '%') {
                if (i + 2 >= segment.length()
                        || Character.digit(segment.charAt(i + 1), 16) < 0
                        || Character.digit(segment.charAt(i + 2), 16) < 0) {
                    throw new Refused("A percent sign in a path must be percent-encoded itself.");
                }
                c = (char) Integer.parseInt(segment, i + 1, i + 3, 16);
                i += 2;
            }
            bytes[length++] = (byte) c;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Refused("A path is percent-encoded UTF-8.");
        }
    }
}
