// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;

/** All permissions of a user; null takes every one away. */
public record ChangePermissionsRequest(@Nullable @Valid PermissionsBody permissions) {}
