// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config.snapshot;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.keptlog.access.RootUser;
import io.keptlog.domain.Limits;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Remembers the newest lines of the log, because the server itself logs to its console only. What tells a first password
 * ({@link RootUser#SECRET}) is left out. Safe for any number of threads; bounded in lines and in the length of each; gone with the process.
 */
public final class RecentLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final ArrayDeque<String> lines = new ArrayDeque<>();

    /** Listens from now on. */
    public static RecentLog attach() {
        var log = new RecentLog();
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            log.setContext(context);
            log.setName("recent-log");
            log.start();
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(log);
        }
        return log;
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getMarkerList() != null && event.getMarkerList().contains(RootUser.SECRET)) {
            return;
        }
        var line = new StringBuilder(160)
                .append(event.getInstant())
                .append(' ')
                .append(event.getLevel())
                .append(" [")
                .append(event.getThreadName())
                .append("] ")
                .append(event.getLoggerName())
                .append(": ")
                .append(event.getFormattedMessage());
        if (event.getThrowableProxy() != null) {
            line.append('\n').append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        line.setLength(Math.min(line.length(), Limits.LOG_LINE_KEPT_CHARS));
        synchronized (lines) {
            lines.addLast(line.toString());
            if (lines.size() > Limits.LOG_LINES_KEPT_MAX) {
                lines.removeFirst();
            }
        }
    }

    /** Oldest first. */
    public void write(Writer out) throws IOException {
        List<String> now;
        synchronized (lines) {
            now = List.copyOf(lines);
        }
        for (String line : now) {
            out.append(line).append('\n');
        }
    }

    @Override
    public void close() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).detachAppender(this);
        }
        stop();
    }
}
