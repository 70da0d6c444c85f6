package io.gpusched.core.model;

/// One kind of MIG slice of one kind of card.
///
/// @param name as NVIDIA writes it: `3g.20gb`, `1g.5gb+me`
/// @param compute how many of the card's compute slices it has
/// @param of how many compute slices the card has
/// @param size how many memory slices it covers
/// @param starts memory slices it may start at, one bit each
/// @param most how many of it fit on one card
/// @param id NVIDIA's number for it, -1 where not known
/// @param media whether it has the card's media extension, of which there is one
public record MigProfile(
        String name,
        int compute,
        int of,
        int size,
        int starts,
        int most,
        int sms,
        int memoryMiB,
        int id,
        boolean media) {
    /// The media extension counts as one more slice, the same wherever its profile lies, so that
    /// two of them overlap like any other invalid combination.
    public static final int MEDIA = 1 << 8;

    /// The slices it covers when it starts there, one bit for each memory slice.
    public int bits(int start) {
        return ((1 << size) - 1) << start | (media ? MEDIA : 0);
    }

    /// What one slice counts in a quota.
    public int milli() {
        return compute * 1000 / of;
    }
}
