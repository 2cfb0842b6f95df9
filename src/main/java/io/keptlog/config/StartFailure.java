// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.KeptlogException;
import io.keptlog.storage.file.DataDirectoryException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.config.ConfigDataException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyNameException;
import org.springframework.boot.tomcat.ConnectorStartFailedException;
import org.springframework.boot.web.server.PortInUseException;

/**
 * Says in one line why the server did not start, for everything that people can put right: settings, port, data directory. What it does
 * not know is a defect and is shown with its stack trace.
 */
public final class StartFailure {
    private StartFailure() {}

    /** One line for people, or empty when this is a defect. */
    public static Optional<String> describe(Throwable failure) {
        for (Throwable cause : causes(failure)) {
            Optional<String> line = line(cause);
            if (line.isPresent()) {
                return line.map(l -> l.replaceAll("\\s*\\R\\s*", " "));
            }
        }
        return Optional.empty();
    }

    /** Innermost first: the root says most, except below what names the data directory and has its cause's reason in it. */
    private static List<Throwable> causes(Throwable failure) {
        var causes = new ArrayList<Throwable>();
        for (Throwable t = failure; t != null && causes.size() < 50; t = t.getCause()) {
            causes.addFirst(t);
            if (t instanceof DataDirectoryException) {
                break;
            }
        }
        return causes;
    }

    private static Optional<String> line(Throwable cause) {
        return switch (cause) {
            case ConfigurationRefused e -> Optional.ofNullable(e.getMessage());
            case KeptlogException e -> Optional.of(e.reason());
            case DataDirectoryException e -> Optional.ofNullable(e.getMessage());
            case PortInUseException e -> Optional.of("Port " + e.getPort()
                    + " is in use by another process: set server.port (SERVER_PORT) or stop that process.");
            case ConnectorStartFailedException e -> Optional.of("Port " + e.getPort()
                    + " cannot be bound: set server.port (SERVER_PORT) and server.address (SERVER_ADDRESS).");
            case BindException e -> Optional.of("The setting " + e.getName() + " has a value that cannot be used"
                    + (e.getProperty() == null || isSecret(e.getName().toString())
                            ? "."
                            : ": '" + e.getProperty().getValue() + "' ("
                                    + e.getProperty().getOrigin() + ")."));
            case InvalidConfigurationPropertyNameException e -> Optional.of(
                    "The setting name " + e.getName() + " is not valid.");
            case ConfigDataException e -> Optional.ofNullable(e.getMessage());
            case FileSystemException e -> Optional.of(file(e));
            case UncheckedIOException e -> Optional.ofNullable(e.getCause()).map(Throwable::getMessage);
            default -> cause.getClass().getName().startsWith("org.yaml.snakeyaml")
                    ? Optional.of("A configuration file is not valid YAML: " + cause.getMessage())
                    : Optional.empty();
        };
    }

    private static String file(FileSystemException e) {
        String why =
                switch (e) {
                    case AccessDeniedException ignored -> "permission denied";
                    case NoSuchFileException ignored -> "it does not exist";
                    case NotDirectoryException ignored -> "it is not a directory";
                    case FileAlreadyExistsException ignored -> "something that is not a directory is in the way";
                    default -> e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
                };
        return "Cannot use " + e.getFile() + ": " + why + ".";
    }

    private static boolean isSecret(String name) {
        return name.contains("password") || name.contains("secret");
    }
}
