/**
 * Given names with their short forms and spellings, in Latin letters. A short form may belong to several names. One
 * line per name, starting with the form used for comparison.
 */
const lines = `
abigail abby gail
abdullah abdallah abdulla abdoullah
ahmad ahmed ahmet akhmad akhmed achmed
albert al bert
alejandro ale
aleksandr alexander alexandr alex alec aleks alexandre alessandro iskander sasha sascha shura sanya sandy xander
aleksandra alexandra alex sasha sandra shura alessandra
aleksei alexei alexey aleksey alexis alyosha lyosha
anastasia anastasiia anastasiya nastya asya
anatoly anatoliy anatolii anatoli tolya tolik
andrew andrei andrey andrii andriy andreas andre andrea andy drew
anna ann anne anya annie anita hannah
anthony antony antonio anton toni tony antoine
arkady arkadiy arkadii arkasha
barbara barb babs barbie
benjamin ben benny benji veniamin
bernard bernie bernhard
boris borya borka
catherine katherine katharine kathryn katarina ekaterina yekaterina kateryna caterina kate katie kathy cathy kat katya kitty
charles charlie chuck carl karl carlos carlo
christian chris
christina kristina christine kristine chris tina christie krystyna
christopher christoph kristof chris kit topher cristobal
daniel danny dan danil daniil danila dani
david dave davy davit dovid daud dawood dawud
deborah debbie deb debra
denis dennis denys denny
dmitry dmitri dmitrii dmitriy dmytro dima mitya dimitri dimitry
donald don donnie
dorothy dot dottie dolly dorothea
edward ed eddie ted teddy ned eduard eduardo edvard
elena yelena helen helena olena lena lenka ellen
elizabeth elisabeth yelizaveta elizaveta liz lizzie beth betty betsy eliza liza lisa bess
eugene evgeny evgeni evgeniy evgenii yevgeny yevgeni yevgeniy yevhen zhenya gene
eugenia evgeniya evgenia yevgenia zhenya
francis francisco francesco frank paco pancho franz frans
frederick fred freddie fritz friedrich federico frederic
fyodor fedor fedir theodore theodor teodoro ted teddy fedya
gabriel gabe gavriil jibril
galina galya halyna
george georg georgy georgi georgiy georgii jorge giorgi yuri yury yuriy yurii yura zhora
gerald gerry jerry
gregory grigory grigori grigoriy grisha greg hryhoriy
hassan hasan
hussein husain hussain husayn hossein hoseyn huseyin
henry heinrich henri enrique enrico hank harry hal
ibrahim abraham ebrahim abe avraham
igor ihor
ilya iliya ilia illia elijah
ivan john johann johannes johan jan jean juan giovanni joao hans johnny jack jon vanya ivo
jacob yakov jakob jake yasha jacobo
james jim jimmy jamie diego santiago jaime
jennifer jen jenny
jessica jess jessie
joseph josef jose iosif osip joe joey pepe giuseppe yusuf youssef yousef yousuf yusef yosef
joshua josh
julia yulia yuliya iuliia giulia julie yulya
kenneth ken kenny
konstantin constantine kostya kostyantyn
kim
lawrence laurence larry lorenzo laurent
leonard leo len lenny leonardo
leonid lyonya leonidas
leo lev lyova
lewis louis luis luigi ludwig lou
lyudmila ludmila liudmila lyuda mila
malik malek
margaret margarita maggie meg peggy rita greta marguerite
maria mary marie mariya mariia maryam mariam masha marusya molly
mark marc marco marcos markus marcus
martin martyn marty
matthew matt matvei matvey matthias mateo matteo mattheus
maxim maksim maksym max maximilian
michael mikhail mykhailo mykhaylo michel miguel michele mike micky misha mick mikael mihail
muhammad mohammed mohammad mohamed mohamad muhammed muhamad mohamud mehmet mahomed mamadou mohd md
moses moisei moshe musa moussa mousa
natalia natalya nataliya nataliia natasha natalie nathalie
nathaniel nathan nate
nicholas nicolas nikolai nikolay nikolaus nicola nick nicky kolya mykola klaus nikolaos miklos
oleg oleh
oliver ollie olivier
olga olha olya helga
omar umar omer
osama usama
patricia pat patty trish tricia
patrick pat paddy patricio
paul pavel pablo paolo pasha pavlo paulo pal
peter pyotr petr petro pedro pietro pete petya pierre
philip phillip filipp filip felipe philippe phil
qasim kasim qassem kassem ghassem
rachel rahel raquel
rashid rasheed
raymond ray ramon
rebecca becky becca
richard rick ricky rich dick ricardo riccardo
robert rob robbie bob bobby bert roberto
ronald ron ronnie
said saeed saied sayed syed sayyid
salim saleem selim
samuel sam sammy samuil
samantha sam
sergey sergei sergii serhiy serhii sergio serge seryozha
simon semyon semen simeon simone shimon
stanislav stas slava
stephen steven stefan stephan stepan esteban steve stefano etienne istvan
susan suzanne susanna sue suzy susie
svetlana svitlana sveta lana
tamara toma
tatiana tatyana tetiana tanya
teresa theresa terry tess
thomas tomas foma tom tommy tomasz tommaso
timothy timofey timofei tim timmy
usman othman uthman osman
vadim vadym
valentin valentine valya
valentina valya
valery valeriy valerii valeri valera
vasily vasili vasiliy vasilii vasyl vasya basil
victor viktor vitya
victoria viktoria viktoriya vika vicky tori
vincent vince vinny vicente vincenzo
vitaly vitaliy vitalii vitali vitalik
vladimir volodymyr uladzimir wladimir vova volodya vlad vladik
vladislav vlad slava uladzislau
vyacheslav viacheslav viatcheslav slava
walter walt wally
william wilhelm guillermo guillaume guglielmo bill billy will willie willy liam
yaroslav iaroslav slava yarik jaroslav
zachary zach zack zak zakhar
`

const namesOfWord = new Map<string, string[]>()
for (const line of lines.trim().split('\n')) {
  const [name = '', ...others] = line.split(' ')
  for (const word of [name, ...others]) namesOfWord.set(word, [...(namesOfWord.get(word) ?? []), name])
}

/** Returns the names that a word may be short for or a spelling of, in the form used for comparison. */
export const namesFor = (word: string): readonly string[] => namesOfWord.get(word) ?? []
