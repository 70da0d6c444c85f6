package io.gpusched.core.model;

/// How two GPUs of a node reach each other without NVLink, from far to near. The names are those of
/// `nvidia-smi topo -m`.
///
///     SYS    across CPU sockets            10 points
///     NODE   between bridges of a socket   20
///     PHB    through one host bridge       30
///     PXB    through several switches      40
///     PIX    through one switch            50
///     BOARD  on one board                  60
public enum Link {
    /// The connection is not known.
    UNKNOWN(0),
    SYS(10),
    NODE(20),
    PHB(30),
    PXB(40),
    PIX(50),
    BOARD(60);

    /// The points of one NVLink, on the same scale.
    public static final int NVLINK_POINTS = 100;

    private final int points;

    Link(int points) {
        this.points = points;
    }

    /// The closer the connection, the more points.
    public int points() {
        return points;
    }
}
