// SPDX-License-Identifier: Apache-2.0
/** The JSON of users, permissions, logins and personal access tokens. */
@NullMarked
package io.keptlog.http.dto.user;

import org.jspecify.annotations.NullMarked;
