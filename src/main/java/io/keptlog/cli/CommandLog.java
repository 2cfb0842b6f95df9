// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of a command: warnings on standard error, so that standard output is the command's answer alone. */
final class CommandLog {
    /** What logback makes when nobody has configured it. */
    private static final String DEFAULT_APPENDER = "console";

    private CommandLog() {}

    /** Only where nothing else has set the log up. */
    static void toStandardError() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(DEFAULT_APPENDER)
                        instanceof ConsoleAppender<ILoggingEvent> console) {
            context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
            console.setTarget("System.err");
            console.start();
        }
    }
}
