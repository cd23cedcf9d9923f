package io.ratelimit.web;

import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of the client that a request comes from, in a canonical form that can serve as a key.
 *
 * <p>Without trusted proxies this is what the container, or a filter in front, made of the connection's peer. With trusted
 * proxies it is read from the container's own request, beneath any wrapper: beginning at the peer, as long as the address
 * belongs to a trusted proxy, whom that proxy saw. What a client writes into a forwarding header itself stands to the
 * left of the first untrusted address and is never reached.
 */
public final class ClientAddress {

    private static final Log LOG = LogFactory.getLog(ClientAddress.class);

    private static final long WARNING_INTERVAL_NANOS = 3_600_000_000_000L;

    private final Settings settings;

    private final LongSupplier nanoTime;

    private final AtomicLong nextWarning;

    /** Which header tells whom a proxy saw. */
    public enum ForwardingHeader {
        /** {@code X-Forwarded-For}: a list of addresses. */
        X_FORWARDED_FOR("X-Forwarded-For"),
        /** {@code Forwarded} as in RFC 7239: its {@code for} parameters. */
        FORWARDED("Forwarded");

        private final String headerName;

        ForwardingHeader(String headerName) {
            this.headerName = headerName;
        }
    }

    /**
     * Whom to believe.
     *
     * @param trustedProxies ranges of addresses in CIDR notation whose forwarding header is believed
     * @param header which header these proxies set
     * @param ipv6Prefix how many leading bits of an IPv6 address make one client, from 1 to 128
     */
    public record Settings(List<String> trustedProxies, ForwardingHeader header, int ipv6Prefix) {

        /** Nobody is trusted; a /64 is one client. */
        public static final Settings DEFAULT = new Settings(List.of(), ForwardingHeader.X_FORWARDED_FOR, 64);

        /**
         * Validates and copies.
         *
         * @throws IllegalArgumentException if the prefix is out of range
         */
        public Settings {
            trustedProxies = List.copyOf(trustedProxies);
            if (ipv6Prefix < 1 || ipv6Prefix > IpAddress.BITS) {
                throw new IllegalArgumentException(
                        "ipv6-prefix %d is out of range; use a number from 1 to 128".formatted(ipv6Prefix));
            }
        }
    }

    private final List<IpRange> trusted;

    /**
     * Creates the resolver.
     *
     * @param settings whom to believe
     * @throws IllegalArgumentException if a trusted proxy is no range of addresses; the message names it and the remedy
     */
    public ClientAddress(Settings settings) {
        this(settings, System::nanoTime);
    }

    ClientAddress(Settings settings, LongSupplier nanoTime) {
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.nextWarning = new AtomicLong(nanoTime.getAsLong());
        this.trusted = settings.trustedProxies().stream().map(IpRange::parse).toList();
    }

    /**
     * Finds the client's address.
     *
     * @param request the request as it is known where the address is needed
     * @return an IPv4 address, or an IPv6 prefix such as {@code 2001:db8:0:1::/64}; empty if the peer has no IP address
     */
    public Optional<String> resolve(HttpServletRequest request) {
        String peer = request.getRemoteAddr();
        if (trusted.isEmpty() && isCanonicalIpv4(peer)) {
            warnOfForwardingHeader(request, peer);
            return Optional.of(peer);
        }
        return Optional.ofNullable(trusted.isEmpty() ? asResolved(request) : throughProxies(container(request)))
                .map(this::text);
    }

    /** The usual case, without taking the text apart and putting it together again. */
    private static boolean isCanonicalIpv4(@Nullable String text) {
        return text != null && IpAddress.ipv4(text, 0, text.length()) >= 0;
    }

    private @Nullable IpAddress asResolved(HttpServletRequest request) {
        warnOfForwardingHeader(request, request.getRemoteAddr());
        IpAddress address = node(request.getRemoteAddr());
        return address != null ? address : node(container(request).getRemoteAddr());
    }

    private @Nullable IpAddress throughProxies(HttpServletRequest request) {
        IpAddress current = node(request.getRemoteAddr());
        if (current == null || !isTrusted(current)) {
            warnOfForwardingHeader(request, request.getRemoteAddr());
            return current;
        }
        for (IpAddress hop : hops(request)) {
            if (hop == null) {
                return current;
            }
            current = hop;
            if (!isTrusted(hop)) {
                return current;
            }
        }
        return current;
    }

    private List<@Nullable IpAddress> hops(HttpServletRequest request) {
        List<String> lines = Collections.list(request.getHeaders(settings.header().headerName));
        return settings.header() == ForwardingHeader.FORWARDED ? Hops.ofForwarded(lines) : Hops.ofXForwardedFor(lines);
    }

    private boolean isTrusted(IpAddress address) {
        for (IpRange range : trusted) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private void warnOfForwardingHeader(HttpServletRequest request, @Nullable String peer) {
        if (request.getHeader(settings.header().headerName) == null) {
            return;
        }
        long due = nextWarning.get();
        long now = nanoTime.getAsLong();
        if (now - due >= 0 && nextWarning.compareAndSet(due, now + WARNING_INTERVAL_NANOS)) {
            LOG.warn(("A request from %s carries %s, which is ignored because that address is not trusted. If it is"
                            + " your proxy, all clients behind it share one limit: add it to the trusted proxies")
                    .formatted(node(peer), settings.header().headerName));
        }
    }

    private String text(IpAddress address) {
        if (address.isIpv4() || settings.ipv6Prefix() == IpAddress.BITS) {
            return address.toString();
        }
        return address.prefix(settings.ipv6Prefix()) + "/" + settings.ipv6Prefix();
    }

    private static @Nullable IpAddress node(@Nullable String text) {
        return text == null ? null : Hops.node(text);
    }

    private static HttpServletRequest container(HttpServletRequest request) {
        HttpServletRequest current = request;
        while (current instanceof ServletRequestWrapper wrapper
                && wrapper.getRequest() instanceof HttpServletRequest wrapped) {
            current = wrapped;
        }
        return current;
    }
}
