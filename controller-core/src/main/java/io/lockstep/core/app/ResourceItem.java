package io.lockstep.core.app;

/**
 * One item of a resource as it is.
 *
 * @param id unique in its resource; matches {@link ResourceDescription#ID}
 * @param version of what is stored of it, 1 or more; every change gives another one, and none comes
 *     back. Changes name the version that they were decided on
 * @param fields what an operator wrote
 * @param state what else is known of it, and cannot be written
 */
public record ResourceItem(String id, long version, ResourceValues fields, ResourceValues state) {
  public ResourceItem {
    if (!id.matches(ResourceDescription.ID) || version < 1) {
      throw new IllegalArgumentException("no item: '" + id + "' of version " + version);
    }
  }
}
