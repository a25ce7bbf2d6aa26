package io.lockstep.deploy.config;

import io.lockstep.core.path.PathConfig;
import io.lockstep.yaml.Section;

/** Reads the section {@code paths}: how paths change in unison (docs/adr/0033). */
final class PathSection {
  private PathSection() {}

  static PathConfig read(Section section) {
    PathConfig usual = PathConfig.USUAL;
    int flightMillis =
        section.millis(
            "flightMillis",
            Math.toIntExact(usual.flightMillis()),
            0,
            Math.toIntExact(PathConfig.MAX_FLIGHT_MILLIS));
    int first = section.number("firstTag", usual.firstTag(), 1, PathConfig.MAX_TAG, "VLAN");
    int last = section.number("lastTag", usual.lastTag(), 1, PathConfig.MAX_TAG, "VLAN");
    section.finish();
    if (first > last) {
      section.complain(
          "lastTag",
          last + " is below the first tag, " + first,
          "give a range of VLANs that no host uses, such as 3584 to 4094");
      return usual;
    }
    return new PathConfig(flightMillis, first, last);
  }
}
