package io.gpusched.lab.draw;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.imageio.ImageIO;

/// Draws as an image of twice as many pixels each way, to stand inside a paper.
public final class Png implements Canvas {
    private static final int SCALE = 2;
    private static final int FONT_SIZE = 12;

    static {
        System.setProperty("java.awt.headless", "true");
    }

    private final BufferedImage image;
    private final Graphics2D graphics;

    public Png(int width, int height) {
        image = new BufferedImage(SCALE * width, SCALE * height, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.scale(SCALE, SCALE);
        graphics.setRenderingHint(
                RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(
                RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT_SIZE));
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
    }

    @Override
    public void rect(double x, double y, double width, double height, String fill, String title) {
        graphics.setColor(Color.decode(fill));
        graphics.fill(new Rectangle2D.Double(x, y, width, height));
    }

    @Override
    public void line(double x1, double y1, double x2, double y2, Pen pen) {
        use(pen);
        graphics.draw(new Line2D.Double(x1, y1, x2, y2));
    }

    @Override
    public void path(double[] xs, double[] ys, Pen pen) {
        use(pen);
        var path = new Path2D.Double();
        for (int i = 0; i < xs.length; i++) {
            if (i == 0) {
                path.moveTo(xs[i], ys[i]);
            } else {
                path.lineTo(xs[i], ys[i]);
            }
        }
        graphics.draw(path);
    }

    private void use(Pen pen) {
        graphics.setColor(Color.decode(pen.colour()));
        float[] dashes = pen.dashed() ? new float[] {6, 3} : null;
        graphics.setStroke(
                new BasicStroke(
                        (float) pen.width(),
                        BasicStroke.CAP_BUTT,
                        BasicStroke.JOIN_ROUND,
                        10,
                        dashes,
                        0));
    }

    @Override
    public void text(double x, double y, Anchor anchor, String colour, String words) {
        graphics.setColor(Color.decode(colour));
        int width = graphics.getFontMetrics().stringWidth(words);
        double left =
                switch (anchor) {
                    case START -> x;
                    case MIDDLE -> x - width / 2.0;
                    case END -> x - width;
                };
        graphics.drawString(words, (float) left, (float) y);
    }

    public void write(Path file) throws IOException {
        graphics.dispose();
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        }
    }
}
