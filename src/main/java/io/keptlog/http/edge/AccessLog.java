// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import io.keptlog.domain.Limits;
import io.keptlog.http.error.RequestId;
import org.apache.catalina.valves.JsonAccessLogValve;

/** Tomcat's access log, one JSON object a line: who (the address), what, with which answer, how long, and the request's name. */
final class AccessLog {
    private static final String PATTERN = "%h %t %m %U %H %s %B %D %{" + RequestId.HEADER + "}o";

    private AccessLog() {}

    /**
     * @param where a directory (one file a day), or {@link ConnectionRules#TO_STANDARD_OUTPUT}
     */
    static JsonAccessLogValve valve(String where) {
        var valve = new JsonAccessLogValve();
        valve.setPattern(PATTERN);
        if (where.equals(ConnectionRules.TO_STANDARD_OUTPUT)) {
            // A file that never changes its name: the process's own output, as containers collect it.
            valve.setDirectory("/dev");
            valve.setPrefix("stdout");
            valve.setSuffix("");
            valve.setFileDateFormat("");
            valve.setRotatable(false);
            valve.setBuffered(false);
        } else {
            valve.setDirectory(where);
            valve.setPrefix("access");
            valve.setSuffix(".json");
            valve.setMaxDays(Limits.ACCESS_LOG_DAYS_KEPT);
        }
        return valve;
    }
}
