// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.service.UserService;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * The first user of a new store: as given, else {@code iggy} with a random password that is shown once in the log and kept nowhere in
 * clear. Does nothing when the store has users. Runs once, before the server takes requests.
 */
public final class RootUser {
    /** Marks a log line that tells a password: for the console only, never to be kept. */
    public static final Marker SECRET = MarkerFactory.getMarker("SECRET");

    private static final Logger LOG = LoggerFactory.getLogger(RootUser.class);
    private static final String DEFAULT_NAME = "iggy";
    private static final int PASSWORD_BYTES = 18;

    private final UserService users;
    private final @Nullable Credentials given;
    private final String serverUri;

    /** Name and password that people chose. */
    public record Credentials(String username, String password) {
        @Override
        public String toString() {
            return "Credentials[" + username + "]";
        }
    }

    /**
     * @param given null = choose
     * @param serverUri where this server will be reached, for the example in the log
     */
    public RootUser(UserService users, @Nullable Credentials given, String serverUri) {
        this.users = users;
        this.given = given;
        this.serverUri = serverUri;
    }

    /**
     * @throws KeptlogException INVALID_USERNAME, INVALID_PASSWORD, NO_SPACE: no user was made
     */
    public void ensure() {
        try {
            create();
        } catch (KeptlogException e) {
            if (e.code() != ErrorCode.CATALOG_FENCED) {
                throw e;
            }
            LOG.error("No user can be made, because the catalog cannot be written: {}", e.reason());
        }
    }

    private void create() {
        if (given != null) {
            if (users.createRoot(given.username(), given.password())) {
                LOG.info("First start: made the user '{}' with the password that was given.", given.username());
            } else if (users.findByName(given.username()) == null) {
                LOG.warn(
                        "There is no user '{}': KEPTLOG_ROOT_USERNAME and KEPTLOG_ROOT_PASSWORD make the first user of a new"
                                + " data directory, and this one has its users already. Log in as one of them, or start on another"
                                + " directory (KEPTLOG_DATA_DIR).",
                        given.username());
            }
            return;
        }
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        if (users.createRoot(DEFAULT_NAME, password)) {
            LOG.warn(
                    SECRET,
                    "First start: made the user '{}' with the password {} (shown only now). Try: curl -u {}:{} {}/streams",
                    DEFAULT_NAME,
                    password,
                    DEFAULT_NAME,
                    password,
                    serverUri);
        }
    }
}
