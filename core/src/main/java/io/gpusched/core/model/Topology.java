package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// How the GPUs of one node are connected: the socket of each, the NVLinks between each pair, and
/// what lies between them on the host's bus.
///
/// Immutable and built for fast look-up: everything is in flat tables. The hash is computed once,
/// because plans for a topology are kept in maps and looked up for every task.
///
/// An unknown topology is [#FLAT]: its GPUs are all alike, and it guarantees neither NVLink nor a
/// common socket. Unknown parts of a known one are [Link#UNKNOWN], or a socket of
/// [#UNKNOWN_SOCKET]; where the link of a pair is unknown, their sockets decide.
public final class Topology {
    public static final int UNKNOWN_SOCKET = -1;

    /// More NVLinks than any pair of GPUs has.
    public static final int MOST_NVLINKS = 64;

    public static final Topology FLAT = new Topology(0, new int[0], new byte[0], new Link[0]);

    private final int size;
    private final int[] sockets;
    private final byte[] nvlinks;
    private final Link[] links;
    private final int[] points;
    private final int hash;

    private Topology(int size, int[] sockets, byte[] nvlinks, Link[] links) {
        this.size = size;
        this.sockets = sockets;
        this.nvlinks = nvlinks;
        this.links = links;
        this.points = new int[size * size];
        for (int a = 0; a < size; a++) {
            for (int b = 0; b < size; b++) {
                points[a * size + b] = a == b ? 0 : worth(a, b);
            }
        }
        int sum = size;
        for (int socket : sockets) {
            sum = 31 * sum + socket;
        }
        for (int pair = 0; pair < links.length; pair++) {
            sum = 31 * (31 * sum + nvlinks[pair]) + links[pair].ordinal();
        }
        this.hash = sum;
    }

    /// A topology from what is known of it; an empty list means unknown.
    ///
    /// @param sockets of each GPU
    /// @param nvlinks a square of counts, the same in both directions
    /// @param links a square, the same in both directions
    public static Topology of(
            List<Integer> sockets, List<List<Integer>> nvlinks, List<List<Link>> links) {
        int size = Math.max(sockets.size(), Math.max(nvlinks.size(), links.size()));
        if (size == 0) {
            return FLAT;
        }
        Check.that(
                size <= Gpu.MOST_PER_NODE,
                "a topology has at most %s GPUs, found %s",
                Gpu.MOST_PER_NODE,
                size);
        Check.that(
                sockets.isEmpty() || sockets.size() == size,
                "expected %s sockets, one per GPU, found %s",
                size,
                sockets.size());
        checkSquare(nvlinks, size);
        checkSquare(links, size);
        var at = new int[size];
        Arrays.fill(at, UNKNOWN_SOCKET);
        for (int gpu = 0; gpu < sockets.size(); gpu++) {
            Check.that(
                    sockets.get(gpu) >= UNKNOWN_SOCKET,
                    "a socket is not below -1, found %s",
                    sockets.get(gpu));
            at[gpu] = sockets.get(gpu);
        }
        var counts = new byte[size * size];
        var between = new Link[size * size];
        Arrays.fill(between, Link.UNKNOWN);
        for (int a = 0; a < size; a++) {
            for (int b = 0; b < size && a != b; b++) {
                counts[a * size + b] = counts[b * size + a] = count(nvlinks, a, b);
                between[a * size + b] = between[b * size + a] = link(links, a, b);
            }
        }
        return new Topology(size, at, counts, between);
    }

    private static <T> void checkSquare(List<List<T>> rows, int size) {
        Check.that(
                rows.isEmpty() || rows.size() == size,
                "expected %s rows, one per GPU, found %s",
                size,
                rows.size());
        for (List<T> row : rows) {
            Check.that(
                    row.size() == size,
                    "expected %s columns, one per GPU, found %s",
                    size,
                    row.size());
        }
    }

    private static byte count(List<List<Integer>> all, int a, int b) {
        if (all.isEmpty()) {
            return 0;
        }
        int count = all.get(a).get(b);
        Check.that(
                count >= 0 && count <= MOST_NVLINKS && all.get(b).get(a).equals(count),
                "GPUs %s and %s have 0 to %s NVLinks, equal in both directions, found %s and %s",
                a,
                b,
                MOST_NVLINKS,
                count,
                all.get(b).get(a));
        return (byte) count;
    }

    private static Link link(List<List<Link>> all, int a, int b) {
        if (all.isEmpty()) {
            return Link.UNKNOWN;
        }
        Check.that(
                all.get(a).get(b) == all.get(b).get(a),
                "the link of GPUs %s and %s is the same in both directions",
                a,
                b);
        return all.get(a).get(b);
    }

    private int worth(int a, int b) {
        Link link = links[a * size + b];
        if (link == Link.UNKNOWN && sockets[a] >= 0 && sockets[b] >= 0) {
            link = sockets[a] == sockets[b] ? Link.NODE : Link.SYS;
        }
        return Link.NVLINK_POINTS * nvlinks[a * size + b] + link.points();
    }

    /// The number of GPUs; 0 when nothing is known.
    public int size() {
        return size;
    }

    /// The socket of the GPU, or [#UNKNOWN_SOCKET].
    public int socket(int gpu) {
        return sockets[gpu];
    }

    public int nvlinks(int a, int b) {
        return nvlinks[a * size + b];
    }

    public Link link(int a, int b) {
        return links[a * size + b];
    }

    /// How well two GPUs are connected: 100 for each NVLink, and the points of their [Link].
    public int points(int a, int b) {
        return points[a * size + b];
    }

    /// GPUs that this one has at least `least` NVLinks to, one bit each.
    public long linkedTo(int gpu, int least) {
        long mask = 0;
        for (int other = 0; other < size; other++) {
            mask |= other != gpu && nvlinks(gpu, other) >= least ? 1L << other : 0;
        }
        return mask;
    }

    /// GPUs known to be at the same socket, itself among them, one bit each.
    public long besides(int gpu) {
        long mask = 0;
        for (int other = 0; other < size && sockets[gpu] >= 0; other++) {
            mask |= sockets[other] == sockets[gpu] ? 1L << other : 0;
        }
        return mask;
    }

    public boolean hasNvlinks() {
        for (byte count : nvlinks) {
            if (count > 0) {
                return true;
            }
        }
        return false;
    }

    public boolean hasSockets() {
        for (int socket : sockets) {
            if (socket >= 0) {
                return true;
            }
        }
        return false;
    }

    public List<Integer> sockets() {
        var all = new ArrayList<Integer>(size);
        for (int socket : sockets) {
            all.add(socket);
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Topology that
                        && hash == that.hash
                        && Arrays.equals(sockets, that.sockets)
                        && Arrays.equals(nvlinks, that.nvlinks)
                        && Arrays.equals(links, that.links);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return size == 0 ? "flat" : "Topology" + sockets() + Arrays.toString(nvlinks);
    }
}
