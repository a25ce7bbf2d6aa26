/**
 * The admin HTTP on loopback: what a node knows of itself and the network, as JSON under {@code
 * /api/v1}, and its health. Reads only; a later REST grows from here.
 */
@NullMarked
package io.lockstep.deploy.admin;

import org.jspecify.annotations.NullMarked;
