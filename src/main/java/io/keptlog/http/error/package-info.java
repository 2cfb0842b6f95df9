// SPDX-License-Identifier: Apache-2.0
/** Every reply that is not a success: codes to statuses, one body, whoever refuses (controllers, Spring, Tomcat, the firewall). */
@NullMarked
package io.keptlog.http.error;

import org.jspecify.annotations.NullMarked;
