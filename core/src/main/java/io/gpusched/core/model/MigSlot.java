package io.gpusched.core.model;

/// A MIG slice at its place: the GPU, the first memory slice it covers, how many, and the profile.
public record MigSlot(int gpu, int first, int size, String profile) {
    /// The slices it covers, one bit for each memory slice, and one for the media extension.
    public int bits() {
        return ((1 << size) - 1) << first | (profile.endsWith("+me") ? MigProfile.MEDIA : 0);
    }

    /// `0:3g.20gb@4`: the GPU, the profile and where it starts.
    public String shown() {
        return gpu + ":" + profile + "@" + first;
    }
}
