/**
 * Attacks on three whole nodes beside a quiet switch: what switches, hosts and connections that
 * mean harm, or are broken, cost the others.
 */
@NullMarked
package io.lockstep.bench.abuse;

import org.jspecify.annotations.NullMarked;
