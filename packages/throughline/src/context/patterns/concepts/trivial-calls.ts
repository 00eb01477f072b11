/** Calls in any language that are too common to characterize a project. */
const TRIVIAL: ReadonlySet<string> = new Set(
  `map filter reduce push pop shift unshift join slice splice concat includes indexOf lastIndexOf keys values entries has get set add
  forEach some every find findIndex findLast findLastIndex at sort toSorted reverse split trim trimStart trimEnd replace replaceAll startsWith endsWith
  toLowerCase toUpperCase toString toFixed padStart padEnd repeat charCodeAt charAt codePointAt match matchAll test exec fill flat
  flatMap from of isArray freeze assign fromEntries delete clear size length String Number Boolean Array Object Map Set Date Error
  TypeError RangeError Promise RegExp Symbol BigInt parseInt parseFloat isNaN isInteger isFinite min max floor ceil round abs sqrt log
  stringify then catch finally all allSettled race resolve reject bind call apply next return throw now random
  append extend items update copy len str int float list dict tuple set range print isinstance super format encode decode type sorted enumerate
  zip any sum open getattr setattr hasattr lower upper strip index count insert remove repr
  make new cap panic Sprintf Println Printf Errorf Error String Len Close Lock Unlock
  clone into to_string to_owned unwrap expect iter into_iter collect as_str as_ref as_mut is_some is_none is_empty Some Ok Err None vec format
  println eprintln write writeln borrow unwrap_or unwrap_or_default default push_str chars lines cloned copied
  equals hashCode getClass isEmpty stream toList put contains valueOf println getName getId ArrayList HashMap orElse
  require import import.meta structuredClone setTimeout clearTimeout`.split(/\s+/),
);

export function isTrivialCall(name: string): boolean {
  return name.length < 3 || TRIVIAL.has(name);
}
