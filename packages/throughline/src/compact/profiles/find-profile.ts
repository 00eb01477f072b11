import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { chatProfile } from "./chat.ts";
import { codingProfile } from "./coding.ts";
import { contentProfile } from "./content.ts";
import type { SummaryProfile } from "./profile.ts";

/** Name of a profile of the package. */
export type ProfileName = "coding" | "content" | "chat";

const PROFILES: Readonly<Record<ProfileName, SummaryProfile>> = {
  coding: codingProfile,
  content: contentProfile,
  chat: chatProfile,
};

/** Returns a profile by its name, or the given profile. */
export function findProfile(profile: ProfileName | SummaryProfile = "coding"): SummaryProfile {
  const found =
    typeof profile === "string" ? (Object.hasOwn(PROFILES, profile) ? PROFILES[profile] : undefined) : profile;
  if (Array.isArray(found?.sections)) return found;
  const names = Object.keys(PROFILES).join(", ");
  throw new InvalidOptionError("profile", JSON.stringify(profile), `one of ${names}, or a profile with sections`);
}
