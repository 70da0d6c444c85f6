package io.gpusched.lab.compare;

/// Something that can be drawn, on a page or into a file.
interface Picture {
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
