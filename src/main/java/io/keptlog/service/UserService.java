// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.Permissions;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.storage.Catalog;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Users, their passwords, permissions and ended sessions, in the catalog. Safe for any number of threads: reads are one volatile read,
 * changes are decided on the state they are applied to. When a method that changes something returns, a crash keeps the change; when it
 * throws, nothing changed (except SYNC_FAILED: unknown until the restart). Who may call what is not decided here. Times in
 * microseconds since the epoch unless their name says otherwise.
 */
public final class UserService {
    private final Catalog catalog;
    private final PasswordHashing hashing;
    private final InstantSource clock;

    public UserService(Catalog catalog, PasswordHashing hashing, InstantSource clock) {
        this.catalog = catalog;
        this.hashing = hashing;
        this.clock = clock;
    }

    public @Nullable UserEntry find(int userId) {
        return catalog.state().users().get(userId);
    }

    public @Nullable UserEntry find(Identifier identifier) {
        return catalog.state().findUser(identifier);
    }

    /** By name only: a name of digits is a name here. */
    public @Nullable UserEntry findByName(String username) {
        return catalog.state().findUser(new Identifier.Name(username));
    }

    /**
     * @throws KeptlogException USER_NOT_FOUND
     */
    public UserEntry require(Identifier identifier) {
        UserEntry user = find(identifier);
        if (user == null) {
            throw absent();
        }
        return user;
    }

    /** All users, by id. */
    public List<UserEntry> list() {
        return List.copyOf(catalog.state().users().values());
    }

    public boolean isEmpty() {
        return catalog.state().users().isEmpty();
    }

    /**
     * @throws KeptlogException INVALID_USERNAME, INVALID_PASSWORD, USER_ALREADY_EXISTS
     */
    public UserEntry create(String username, String password, boolean active, @Nullable Permissions permissions) {
        UserRules.requireUsername(username);
        UserRules.requirePassword(password, "password");
        requireFree(catalog.state(), username);
        String hash = hashing.hash(password);
        long now = Micros.now(clock);
        return catalog.change(state -> {
                    requireFree(state, username);
                    return new CatalogChange.UserCreated(new UserEntry(
                            state.nextUserId(), now, username, hash, active, 0, null, permissions, new TreeMap<>()));
                })
                .user();
    }

    /**
     * The first user of a new store, with every permission. Does nothing when there are users already.
     *
     * @return whether it was made
     */
    public boolean createRoot(String username, String password) {
        if (!isEmpty()) {
            return false;
        }
        UserEntry root = create(username, password, true, Permissions.ROOT);
        if (!root.isRoot()) {
            throw new IllegalStateException("The first user got the id " + root.id() + ".");
        }
        return true;
    }

    /**
     * Changes name and status; null leaves as it is. A change of status ends every session of the user.
     *
     * @throws KeptlogException USER_NOT_FOUND, INVALID_USERNAME, USER_ALREADY_EXISTS; CANNOT_CHANGE_PERMISSIONS when root would be made
     *     inactive
     */
    public void update(int userId, @Nullable String username, @Nullable Boolean active) {
        if (username != null) {
            UserRules.requireUsername(username);
        }
        catalog.change(state -> {
            UserEntry user = require(state, userId);
            String nextName = username == null ? user.username() : username;
            boolean nextActive = active == null ? user.active() : active;
            if (!nextName.equals(user.username())) {
                requireFree(state, nextName);
            }
            if (user.isRoot() && !nextActive) {
                throw new KeptlogException(
                        ErrorCode.CANNOT_CHANGE_PERMISSIONS, "Root cannot be made inactive.", "status");
            }
            return new CatalogChange.UserUpdated(userId, nextName, nextActive);
        });
    }

    /**
     * @throws KeptlogException USER_NOT_FOUND, CANNOT_DELETE_USER for root
     */
    public void delete(int userId) {
        if (userId == UserEntry.ROOT_ID) {
            throw new KeptlogException(ErrorCode.CANNOT_DELETE_USER, "Root cannot be deleted.");
        }
        catalog.change(
                state -> new CatalogChange.UserDeleted(require(state, userId).id()));
    }

    /**
     * Ends every session of the user but the one that is kept.
     *
     * @param keptSession JWT id of the user's own session that makes the change, or null
     * @return the user after the change
     * @throws KeptlogException USER_NOT_FOUND, INVALID_PASSWORD; INVALID_CREDENTIALS when the current password is another one
     */
    public UserEntry changePassword(
            int userId, String currentPassword, String newPassword, @Nullable String keptSession) {
        UserEntry user = require(catalog.state(), userId);
        if (!hashing.matches(currentPassword, user.passwordHash())) {
            throw wrongPassword();
        }
        UserRules.requirePassword(newPassword, "new_password");
        return putPassword(userId, user.passwordHash(), newPassword, keptSession);
    }

    /** Sets a password without knowing the former one: for the command on a stopped data directory. */
    public UserEntry resetPassword(int userId, String newPassword) {
        UserRules.requirePassword(newPassword, "new_password");
        return putPassword(userId, require(catalog.state(), userId).passwordHash(), newPassword, null);
    }

    private UserEntry putPassword(int userId, String formerHash, String newPassword, @Nullable String keptSession) {
        String hash = hashing.hash(newPassword);
        catalog.change(state -> {
            if (!require(state, userId).passwordHash().equals(formerHash)) {
                throw wrongPassword();
            }
            return new CatalogChange.PasswordChanged(userId, hash, keptSession);
        });
        return require(catalog.state(), userId);
    }

    /**
     * @throws KeptlogException USER_NOT_FOUND, CANNOT_CHANGE_PERMISSIONS for root
     */
    public void changePermissions(int userId, @Nullable Permissions permissions) {
        if (userId == UserEntry.ROOT_ID) {
            throw new KeptlogException(
                    ErrorCode.CANNOT_CHANGE_PERMISSIONS, "The permissions of root cannot be changed.");
        }
        catalog.change(state ->
                new CatalogChange.PermissionsChanged(require(state, userId).id(), permissions));
    }

    /** Ends a session for good. */
    public void revokeSession(String jwtId, long expirySeconds) {
        if (!isRevoked(jwtId)) {
            catalog.change(state -> new CatalogChange.SessionRevoked(jwtId, expirySeconds));
        }
    }

    public boolean isRevoked(String jwtId) {
        return catalog.state().revokedSessions().containsKey(jwtId);
    }

    private static void requireFree(CatalogState state, String username) {
        if (state.findUser(new Identifier.Name(username)) != null) {
            throw new KeptlogException(
                    ErrorCode.USER_ALREADY_EXISTS, "A user named '" + username + "' already exists.", "username");
        }
    }

    private static UserEntry require(CatalogState state, int userId) {
        UserEntry user = state.users().get(userId);
        if (user == null) {
            throw absent();
        }
        return user;
    }

    private static KeptlogException absent() {
        return new KeptlogException(ErrorCode.USER_NOT_FOUND, "This user does not exist.", "user_id");
    }

    private static KeptlogException wrongPassword() {
        return new KeptlogException(
                ErrorCode.INVALID_CREDENTIALS, "The current password is another one.", "current_password");
    }
}
