/// The published experiment of "Beware of Fragmentation" (Weng et al., ATC 2023), run with the
/// production core: pods arrive one by one, nothing ever leaves, what fits nowhere is dropped. Read
/// [io.gpusched.lab.fgd.Experiment] first.
@NullMarked
package io.gpusched.lab.fgd;

import org.jspecify.annotations.NullMarked;
