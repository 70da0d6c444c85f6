/// Draws pictures, into a page as SVG or into a file as PNG. A picture is described once and looks
/// the same in both.
///
/// Read [io.gpusched.lab.draw.Canvas] first. What the pictures show is not decided here.
@NullMarked
package io.gpusched.lab.draw;

import org.jspecify.annotations.NullMarked;
