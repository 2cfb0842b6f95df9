// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP connector, with a bound on the connections that one address may hold: whoever opens connections and says nothing cannot
 * take all of them. Connections are counted by looking at those there are, and only when so many are open that one address could have
 * too many: it costs nothing before. Tomcat makes it by its name, and only its accepting thread counts.
 */
public final class FairProtocol extends Http11NioProtocol {
    private final FairEndpoint endpoint;

    public FairProtocol() {
        this(new FairEndpoint());
    }

    private FairProtocol(FairEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    void maxConnectionsPerAddress(int max) {
        endpoint.maxPerAddress = max;
    }

    /** Where connections are accepted. */
    private static final class FairEndpoint extends NioEndpoint {
        private volatile int maxPerAddress = Integer.MAX_VALUE;

        /** Whoever answers false has closed the connection. */
        @Override
        protected boolean setSocketOptions(SocketChannel socket) {
            if (isOneTooMany(socket)) {
                destroySocket(socket);
                return false;
            }
            return super.setSocketOptions(socket);
        }

        private boolean isOneTooMany(SocketChannel socket) {
            if (getConnectionCount() <= maxPerAddress) {
                return false;
            }
            try {
                if (!(socket.getRemoteAddress() instanceof InetSocketAddress remote)) {
                    return false;
                }
                InetAddress address = remote.getAddress();
                int held = 0;
                for (SocketWrapperBase<NioChannel> connection : getConnections()) {
                    held += address.equals(addressOf(connection)) ? 1 : 0;
                }
                return held >= maxPerAddress;
            } catch (IOException e) {
                getLog().debug("A connection was gone before it was looked at.", e);
                return false;
            }
        }

        private static @Nullable InetAddress addressOf(SocketWrapperBase<NioChannel> connection) {
            return connection.getSocket().getIOChannel().socket().getInetAddress();
        }
    }
}
