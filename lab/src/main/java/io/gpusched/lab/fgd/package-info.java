/// The published experiment of "Beware of Fragmentation" (Weng et al., ATC 2023), run with the
/// production core: pods arrive one by one and never end, and a pod that fits nowhere is dropped.
/// Read [io.gpusched.lab.fgd.FgdExperiment] first.
@NullMarked
package io.gpusched.lab.fgd;

import org.jspecify.annotations.NullMarked;
