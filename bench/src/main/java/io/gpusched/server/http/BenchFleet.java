package io.gpusched.server.http;

import io.gpusched.core.model.TopologyLevels;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.View;

import java.time.InstantSource;

/// The picture of the fleet as a request gets it, made anew for every call.
public final class BenchFleet {
    private final View view;
    private final LatestReadings readings;

    public BenchFleet(View view, LatestReadings readings) {
        this.view = view;
        this.readings = readings;
    }

    /// @param bytes of the document
    /// @param compressed bytes that are sent
    public record PictureSize(long bytes, long compressed) {}

    public PictureSize draw() {
        var picture = pictures().now(null);
        return new PictureSize(picture.json().length, picture.compressed().length);
    }

    /// The document.
    public byte[] json() {
        return pictures().now(null).json();
    }

    private FleetPictures pictures() {
        return new FleetPictures(
                () -> view, readings, TopologyLevels.DEFAULT, InstantSource.system());
    }
}
