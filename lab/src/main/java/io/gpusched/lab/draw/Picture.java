package io.gpusched.lab.draw;

/// Something that can be drawn, on a page or into a file.
public interface Picture {
    /// A short name for files.
    String name();

    String title();

    int width();

    int height();

    void draw(Canvas canvas);

    default String svg() {
        var svg = new Svg(width(), height(), title());
        draw(svg);
        return svg.end();
    }
}
