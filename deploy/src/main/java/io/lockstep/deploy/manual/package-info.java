/**
 * Man pages and completion scripts, made from the model of the command line and from a document of
 * the sources, so that they follow both by themselves. Pure: it gets a model or lines of text and
 * returns text. The room {@code cli} calls it, and it imports no other room of this module.
 */
@NullMarked
package io.lockstep.deploy.manual;

import org.jspecify.annotations.NullMarked;
