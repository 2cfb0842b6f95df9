// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;

/** A verified caller in Spring Security's context. Carries no credentials; permissions are looked up at each check. */
final class CallerAuthentication extends AbstractAuthenticationToken {
    private final transient Caller caller;

    CallerAuthentication(Caller caller) {
        super(List.<GrantedAuthority>of());
        this.caller = caller;
        setAuthenticated(true);
    }

    @Override
    public @Nullable Object getCredentials() {
        return null;
    }

    @Override
    public Caller getPrincipal() {
        return caller;
    }

    @Override
    public String getName() {
        return caller.username();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CallerAuthentication that && caller.equals(that.caller);
    }

    @Override
    public int hashCode() {
        return caller.hashCode();
    }
}
