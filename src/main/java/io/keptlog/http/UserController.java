// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.access.Caller;
import io.keptlog.access.Guard;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.http.dto.user.ChangePasswordRequest;
import io.keptlog.http.dto.user.ChangePermissionsRequest;
import io.keptlog.http.dto.user.CreateUserRequest;
import io.keptlog.http.dto.user.PermissionsBody;
import io.keptlog.http.dto.user.UpdateUserRequest;
import io.keptlog.http.dto.user.UserDetails;
import io.keptlog.http.dto.user.UserInfo;
import io.keptlog.service.UserService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Users, their status, passwords and permissions. */
@Tag(name = "Users")
@RestController
@RequestMapping("/users")
class UserController {
    private static final String FIELD = "user_id";
    private static final String MYSELF = "me";

    private final UserService users;
    private final Guard guard;

    UserController(UserService users, Guard guard) {
        this.users = users;
        this.guard = guard;
    }

    @Operation(operationId = "listUsers", summary = "List all users", description = "Needs read_users.")
    @GetMapping
    List<UserInfo> list() {
        guard.readUsers();
        return users.list().stream().map(UserInfo::of).toList();
    }

    @Operation(operationId = "createUser", summary = "Create a user", description = "Needs manage_users.")
    @PostMapping
    UserDetails create(@Valid @RequestBody CreateUserRequest request) {
        guard.manageUsers();
        requireNoOptions(request.options());
        boolean active = request.status() == null || request.status().isActive();
        return UserDetails.of(users.create(
                request.username(), request.password(), active, PermissionsBody.toDomain(request.permissions())));
    }

    @Operation(
            operationId = "getUser",
            summary = "Get a user by id, by name, or as 'me'",
            description = "Needs read_users, except for oneself.")
    @GetMapping("/{user_id}")
    UserDetails get(@PathVariable(FIELD) String text) {
        UserEntry user = find(text);
        if (user == null || user.id() != guard.caller().userId()) {
            guard.readUsers();
        }
        if (user == null) {
            throw new KeptlogException(ErrorCode.NOT_FOUND, "This user does not exist.", FIELD);
        }
        return UserDetails.of(user);
    }

    @Operation(
            operationId = "updateUser",
            summary = "Change a user's name or status",
            description =
                    "Needs manage_users; root is changed by root only. A change of status ends the user's sessions.")
    @PutMapping("/{user_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void update(@PathVariable(FIELD) String text, @Valid @RequestBody UpdateUserRequest request) {
        guard.manageUsers();
        requireNoOptions(request.options());
        UserEntry user = require(text);
        if (user.isRoot() && !guard.caller().isRoot()) {
            throw new KeptlogException(ErrorCode.UNAUTHORIZED, "Only root changes root.");
        }
        users.update(
                user.id(),
                request.username(),
                request.status() == null ? null : request.status().isActive());
    }

    @Operation(
            operationId = "deleteUser",
            summary = "Delete a user",
            description = "Needs manage_users. Root cannot be deleted.")
    @DeleteMapping("/{user_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable(FIELD) String text) {
        guard.manageUsers();
        users.delete(require(text).id());
    }

    @Operation(
            operationId = "changePassword",
            summary = "Change a password",
            description = "One's own, or anybody's with manage_users; the current password is needed either way."
                    + " Ends the user's other sessions.")
    @PutMapping("/{user_id}/password")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePassword(@PathVariable(FIELD) String text, @Valid @RequestBody ChangePasswordRequest request) {
        Caller caller = guard.caller();
        UserEntry user = find(text);
        if (user == null || user.id() != caller.userId()) {
            guard.manageUsers();
        }
        UserEntry target = require(text);
        Caller.Session session = caller.userId() == target.id() ? caller.session() : null;
        users.changePassword(
                target.id(),
                request.currentPassword(),
                request.newPassword(),
                session == null ? null : session.jwtId());
    }

    @Operation(
            operationId = "changePermissions",
            summary = "Replace a user's permissions",
            description = "Needs manage_users. The permissions of root cannot be changed.")
    @PutMapping("/{user_id}/permissions")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePermissions(@PathVariable(FIELD) String text, @Valid @RequestBody ChangePermissionsRequest request) {
        guard.manageUsers();
        users.changePermissions(require(text).id(), PermissionsBody.toDomain(request.permissions()));
    }

    private @Nullable UserEntry find(String text) {
        return text.equals(MYSELF) ? users.find(guard.caller().userId()) : users.find(Identifier.parse(text, FIELD));
    }

    private UserEntry require(String text) {
        UserEntry user = find(text);
        if (user == null) {
            throw new KeptlogException(ErrorCode.USER_NOT_FOUND, "This user does not exist.", FIELD);
        }
        return user;
    }

    private static void requireNoOptions(@Nullable Map<String, String> options) {
        if (options != null && !options.isEmpty()) {
            String key = options.keySet().iterator().next();
            throw new KeptlogException(
                    ErrorCode.UNSUPPORTED_OPTION_KEY,
                    "Unsupported option key: " + key.substring(0, Math.min(key.length(), 64)),
                    key.length() <= 64 ? key : "options");
        }
    }
}
