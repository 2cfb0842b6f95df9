// SPDX-License-Identifier: Apache-2.0
/** Controllers by resource, thin; one file turns error codes into statuses. */
@NullMarked
package io.keptlog.http;

import org.jspecify.annotations.NullMarked;
