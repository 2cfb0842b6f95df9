// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;

/**
 * What a request that lasts was let in with, to be looked at again while it lasts: a token may expire, be logged out or deleted, a user
 * may lose a permission. Any thread. Keeps the header of the request in memory and nowhere else.
 */
public final class Standing {
    private final Authenticator authenticator;
    private final @Nullable String header;
    private final String address;

    /**
     * @param header the request's Authorization
     */
    public Standing(Authenticator authenticator, @Nullable String header, String address) {
        this.authenticator = authenticator;
        this.header = header;
        this.address = address;
    }

    /**
     * Runs the check as the caller that the credentials stand for now.
     *
     * @throws io.keptlog.domain.KeptlogException what the authentication or the check throws: the request ends
     */
    public void recheck(Runnable check) {
        Caller caller = authenticator.authenticate(header, address);
        SecurityContextHolder.setContext(new SecurityContextImpl(new CallerAuthentication(caller)));
        try {
            check.run();
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    @Override
    public String toString() {
        return "Standing[" + address + "]";
    }
}
